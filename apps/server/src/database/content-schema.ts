/** The tables of what operators write and set up for readers and payments. Texts of readers are only ever added. */
export type ContentItemTable = {
  id: bigint
  kind: string
  category: string
  /** draft, live or withdrawn: one that is live is shown from `publish_at` on. */
  state: string
  publish_at: bigint | null
  is_pinned: bigint
  /** The key of a stored picture. */
  picture: string | null
  version: bigint
  changed_at: bigint
  changed_by: string
}

/** Every wording of an item: the latest of a language is the one that is shown, unless its title is empty. */
export type ContentTextTable = {
  id: bigint
  item_id: bigint
  version: bigint
  language: string
  title: string
  summary: string
  /** Clean HTML. */
  body: string
  author: string
  at: bigint
}

/** Versions of legal documents: none is ever changed or removed. */
export type LegalVersionTable = {
  id: bigint
  document: string
  /** What consents name it by. But for the first, no two documents share one. */
  version: string
  effective_at: bigint
  written_at: bigint
  written_by: string
  reason: string
}

export type LegalTextTable = { id: bigint; version_id: bigint; language: string; body: string }

export type CompanyTable = {
  id: bigint
  name: string
  /** In small letters, to search by. */
  name_key: string
  subject: string
  logo: string
  url: string
  registered_address: string
  location: string
  email: string
  loss_url: string
  is_on: bigint
  version: bigint
  changed_at: bigint
}

export type DepositChannelTable = {
  id: bigint
  currency_code: string
  protocol_code: string
  address: string
  /** What may come in there on a day: from everybody, and from one person. Null for no limit. */
  day_limit: bigint | null
  person_day_limit: bigint | null
  is_on: bigint
  version: bigint
  changed_at: bigint
}

export type WireAccountTable = {
  id: bigint
  currency_code: string
  bank_name: string
  bank_address: string
  bank_swift: string
  payee_name: string
  payee_account: string
  bank_remark: string
  day_limit: bigint | null
  person_day_limit: bigint | null
  is_on: bigint
  version: bigint
  changed_at: bigint
}

export type WithdrawalCurrencyTable = {
  id: bigint
  code: string
  protocol: string
  /** coin or bank. */
  kind: string
  /** fixed or rate. */
  fee_type: string
  /** Money, or a share in units of 1e-6. */
  fee: bigint
  /** A plain decimal. */
  usd_price: string
  minimum: bigint
  maximum: bigint | null
  /** What one person may ask for on a day; null for no limit. */
  person_day_limit: bigint | null
  is_on: bigint
  version: bigint
  changed_at: bigint
}

/** Up to which moment of publishing a user has seen the list of news. */
export type NewsSeenTable = { user_id: bigint; at: bigint }

/** A feed of somebody else whose items are taken in. */
export type NewsFeedTable = {
  id: bigint
  address: string
  name: string
  /** Of the texts, and what they are about. */
  language: string
  category: string
  /** draft or live: how its items begin. */
  item_state: string
  is_on: bigint
  version: bigint
  changed_at: bigint
  /** Who set it up as it is: pictures are taken in on their account. */
  operator_id: bigint
  /** When it was last asked, what came of it, and how many items it has brought. */
  asked_at: bigint | null
  problem: string
  taken: bigint
}

/** Items of feeds that were taken in, by a hash of feed and item: none comes twice. */
export type ImportedNewsTable = { key: string; feed_id: bigint; item_id: bigint; at: bigint }

export type ContentTables = {
  content_item: ContentItemTable
  content_text: ContentTextTable
  news_seen: NewsSeenTable
  news_feed: NewsFeedTable
  imported_news: ImportedNewsTable
  legal_version: LegalVersionTable
  legal_text: LegalTextTable
  company: CompanyTable
  deposit_channel: DepositChannelTable
  wire_account: WireAccountTable
  withdrawal_currency: WithdrawalCurrencyTable
}
