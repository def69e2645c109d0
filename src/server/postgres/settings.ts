/**
 * Settings of the embedded server, for a small machine: about 350 MB of memory in all, no replica, and a write-ahead log
 * that stays small.
 */
export const embeddedSettings: Record<string, string> = {
  // First, because they already apply while the others are read. Statements and rows are users' data and must not be
  // logged.
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
  shared_buffers: "40MB",
  huge_pages: "off",
  // An acknowledged write survives a power cut.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // By default the write-ahead log grows to 1 GB. There is no replica that needs it.
  max_wal_size: "256MB",
  min_wal_size: "64MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  checkpoint_timeout: "10min",
  checkpoint_completion_target: "0.9",
  // Under load a small log fills quickly, which is no reason for a warning.
  checkpoint_warning: "0",
  autovacuum: "on",
  // For solid-state disks, and for short statements, whose compilation costs more than it saves.
  random_page_cost: "1.1",
  jit: "off",
  // Parallel workers use shared memory, of which a container has only 64 MB by default.
  max_worker_processes: "4",
  max_parallel_workers: "2",
  max_parallel_workers_per_gather: "1",
  max_parallel_maintenance_workers: "1",
  // I/O workers cost memory and help only if reads wait for the disk.
  io_method: "sync",
  // By default, PostgreSQL reserves memory for features that are not used: 64 I/O operations of each process, 16 vacuum
  // workers and serializable transactions.
  io_max_concurrency: "4",
  autovacuum_worker_slots: "3",
  max_pred_locks_per_transaction: "10",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  cluster_name: "signalbox",
};
