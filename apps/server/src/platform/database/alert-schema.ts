/** The table of users' alerts. */

/** An alert: waiting (also in a pause after it has fired), fired for good, ended by itself, or removed. */
export type AlertTable = {
  id: bigint
  account_id: bigint
  /** What it waits for, as JSON. */
  condition: string
  /** How long it waits after it has fired before it can fire again, ms; null: it fires once. */
  pause_ms: bigint | null
  set_at: bigint
  /** waiting, fired, expired, instrumentOff or removed. */
  state: string
  /** The end of its pause, epoch ms; 0 before it has fired. */
  wakes_at: bigint
  /** 1 after it has fired until the price has been on the other side; else 0. */
  awaits_return: bigint
  /** When it ends without firing, epoch ms; null: it waits without limit. */
  expires_at: bigint | null
  /** When it expired, or ended with its instrument, epoch ms; else null. */
  ended_at: bigint | null
  /** When it last fired, epoch ms, and the tick and figures that fired it, as JSON. */
  fired_at: bigint | null
  firing: string | null
}

export type AlertTables = { alert: AlertTable }
