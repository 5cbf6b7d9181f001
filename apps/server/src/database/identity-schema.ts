/** Which key the database is encrypted with: one row, since its first start. */
export type DataKeyTable = { key_id: string; first_used_at: bigint }

/** What people have sent to show who they are, one row each. Who is verified stands in `verified_person`. */
export type IdentityCheckTable = {
  user_id: bigint
  /** waiting, rejected or approved. */
  status: string
  name: string
  /** The number of the document, sealed, and its fingerprint, by which the same one of somebody else is found. */
  number: string
  number_mark: string
  /** Keys of the pictures of the document. */
  front: string
  reverse: string
  /** Epoch ms of real time. */
  sent_at: bigint
  /** How often something was sent so far. */
  times_sent: bigint
  decided_at: bigint | null
  /** JSON: what was wrong with which field; empty where nothing was. */
  faults: string
}

export type IdentityTables = { data_key: DataKeyTable; identity_check: IdentityCheckTable }
