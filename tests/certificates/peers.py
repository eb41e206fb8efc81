"""Which solvers of others find a minimum that our learner did not certify."""
def found(problem):
    return {}
