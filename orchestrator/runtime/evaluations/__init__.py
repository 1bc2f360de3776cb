"""What evaluations are made with, and what they are watched for while they run."""
