"""Many submissions: what there is to do, the evaluations in worker processes, one writer for store and gradebook."""
