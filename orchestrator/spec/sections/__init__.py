"""The sections of a spec, as frozen values: parameters, the evaluation, the workers."""
