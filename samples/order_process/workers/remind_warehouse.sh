#!/bin/sh
echo '{"reminded": true}'
