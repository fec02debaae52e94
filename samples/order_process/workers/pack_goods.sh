#!/bin/sh
# Takes longer than the step's reminder, so that the timer can be seen at work.
sleep 2
echo '{"parcel": "on the ramp"}'
