/** Details of deposits and withdrawals. Their amounts and states are in the engine's money cases. */
export type DepositTable = {
  case_id: bigint
  user_id: bigint
  /** coin or bank. */
  kind: string
  /** The row of `deposit_channel` or `wire_account`, and a copy of its values. */
  channel_id: bigint
  currency_code: string
  protocol_code: string
  address: string
  tag: string
  /** The address that was shown to the user; empty if the client did not send it. */
  shown_address: string
  /** The key of the picture of the transfer, and the SHA-256 of the uploaded bytes. */
  proof: string
  proof_hash: string
  /** The transaction number of the transfer, as the user has entered it; empty for none. */
  reference: string
  /** See `transactionKey`. */
  reference_key: string
  /** Epoch ms of real time. */
  told_at: bigint
}

export type WithdrawalTable = {
  case_id: bigint
  user_id: bigint
  currency_id: bigint
  /** Terms and method at the time of the request. */
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
  /** The transaction number of the payment, valid once the case has ended as paid. */
  reference: string
  /** See `transactionKey`. */
  reference_key: string
}

/** Coin addresses and bank accounts for withdrawals. A removed one keeps its row. */
export type ReceivingMethodTable = {
  id: bigint
  user_id: bigint
  currency_id: bigint
  kind: string
  /** JSON. */
  details: string
  /** Finds other rows of the same address or account. */
  account_key: string
  bound_at: bigint
  removed_at: bigint | null
  /** The number of its account key, and the salt of its digest in the journal; null in rows of earlier versions. */
  destination: bigint | null
  salt: string | null
}

/** Users whose identity an operator has verified. */
export type VerifiedUserTable = { user_id: bigint; at: bigint; operator_id: bigint; reason: string }

/** Changes of tables that follow a decision of the engine. The next start carries out those that a crash has left. */
export type FollowUpTable = {
  /** The request that the engine knows it by: JSON of number, call and name. */
  id: string
  kind: string
  /** JSON. */
  body: string
  written_at: bigint
}

/** The numbers of payout addresses and accounts, by which the journal refers to them. */
export type PayoutDestinationTable = { id: bigint; account_key: string }

export type PaymentTables = {
  follow_up: FollowUpTable
  payout_destination: PayoutDestinationTable
  deposit: DepositTable
  withdrawal: WithdrawalTable
  receiving_method: ReceivingMethodTable
  verified_person: VerifiedUserTable
}
