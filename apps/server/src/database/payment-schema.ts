/** The tables of money that comes and goes: what stands beside the engine's cases, which hold amounts, states and ends. */
export type DepositTable = {
  case_id: bigint
  user_id: bigint
  /** coin or bank. */
  kind: string
  /** The row of `deposit_channel` or `wire_account`, and what it said then. */
  channel_id: bigint
  currency_code: string
  protocol_code: string
  address: string
  /** Where the user's screen has shown that the coins go; empty where it did not say. */
  shown_address: string
  /** The key of the picture of the transfer, and the SHA-256 of the bytes that were sent. */
  proof: string
  proof_hash: string
  /** The transaction number of the transfer, as the user has told it; empty for none. */
  reference: string
  /** Epoch ms of real time. */
  told_at: bigint
}

export type WithdrawalTable = {
  case_id: bigint
  user_id: bigint
  currency_id: bigint
  /** Terms and method as they were when it was asked for. */
  code: string
  protocol: string
  kind: string
  price: string
  /** A plain decimal, in the currency that is paid out. */
  received: string
  method_id: bigint
  /** JSON. */
  method: string
  memo: string
  /** Epoch ms of real time. */
  asked_at: bigint
  /** Set before the engine is told that the user takes it back: from then on nobody approves it. */
  taken_back_at: bigint | null
  approved_at: bigint | null
  approved_by: bigint | null
  approved_name: string | null
  approved_role: string | null
  /** Of the payment; it counts once the case has ended as paid. */
  reference: string
}

/** Coin addresses and bank accounts that users are paid at. One that is removed keeps its row. */
export type ReceivingMethodTable = {
  id: bigint
  user_id: bigint
  currency_id: bigint
  kind: string
  /** JSON. */
  details: string
  /** By which a second row of the same address or account is found. */
  account_key: string
  bound_at: bigint
  removed_at: bigint | null
}

/** Whose identity somebody at the desk has seen. */
export type VerifiedPersonTable = { user_id: bigint; at: bigint; operator_id: bigint; reason: string }

/**
 * A deposit or withdrawal that is put to the engine: what its row will say, kept from before the engine's word until the row is there. One
 * that is left by a crash is settled by the next start.
 */
export type PaymentDraftTable = {
  /** The request that the engine knows it by: JSON of user, call and name. */
  id: string
  /** deposit or withdrawal. */
  kind: string
  /** JSON: the columns of the row, without its case. */
  body: string
  drafted_at: bigint
}

export type PaymentTables = {
  payment_draft: PaymentDraftTable
  deposit: DepositTable
  withdrawal: WithdrawalTable
  receiving_method: ReceivingMethodTable
  verified_person: VerifiedPersonTable
}
