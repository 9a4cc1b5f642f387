"""A box is a Jupyter kernel in a sandbox: started, asked, bounded and thrown away."""
