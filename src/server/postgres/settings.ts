/**
 * Settings of the embedded server, chosen for one product on a small machine: some 350 MB for everything, no replica,
 * a data folder that does not grow by itself.
 */
export const embeddedSettings: Record<string, string> = {
  // First, because the others are already judged by them. Texts of statements and rows stay out of the log: they are
  // the users'.
  log_destination: "stderr",
  logging_collector: "off",
  log_line_prefix: "",
  log_min_messages: "warning",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "40",
  shared_buffers: "64MB",
  huge_pages: "off",
  // An acknowledged write survives a power cut.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // The write-ahead log would grow to 1 GB by default. Nothing replicates it.
  max_wal_size: "256MB",
  min_wal_size: "64MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "10min",
  checkpoint_completion_target: "0.9",
  // Under full load that log is soon full: no reason for a warning.
  checkpoint_warning: "0",
  autovacuum: "on",
  // Solid-state disks; short statements, for which compiling costs more than it saves.
  random_page_cost: "1.1",
  jit: "off",
  // Shared memory of a container is 64 MB by default, and parallel workers talk through it.
  max_worker_processes: "4",
  max_parallel_workers: "2",
  max_parallel_workers_per_gather: "1",
  max_parallel_maintenance_workers: "1",
  // The processes of the other method cost memory and help only where reads wait for the disk.
  io_method: "sync",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  cluster_name: "signalbox",
};
