"""What is optimised, or is to be known: functions of each kind that contenders are compared on."""
