"""Agents answer the grader's requests inside a box, or in this very process."""
