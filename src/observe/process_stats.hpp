#pragma once

namespace millrace::observe {

// What the kernel says about this process; 0 for what it does not say.
struct ProcessStats {
    double cpu_seconds = 0;
    double resident_bytes = 0;
    double virtual_bytes = 0;
    double open_files = 0;
    double open_files_max = 0;
    double started_at_seconds = 0;  // Since 1970.
};

ProcessStats read_process_stats();

}  // namespace millrace::observe
