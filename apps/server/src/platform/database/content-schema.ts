/** The tables of content, legal texts, companies and payment methods. Texts are append-only. */
export type ContentItemTable = {
  id: bigint
  kind: string
  category: string
  /** draft, live or withdrawn; a live item is shown from `publish_at` on. */
  state: string
  publish_at: bigint | null
  is_pinned: bigint
  /** The key of a stored picture. */
  picture: string | null
  version: bigint
  changed_at: bigint
  changed_by: string
}

/** Every version of an item's text: the latest of a language is shown, unless its title is empty. */
export type ContentTextTable = {
  id: bigint
  item_id: bigint
  version: bigint
  language: string
  title: string
  summary: string
  /** Sanitized HTML. */
  body: string
  author: string
  at: bigint
}

/** Versions of legal documents, append-only. */
export type LegalVersionTable = {
  id: bigint
  document: string
  /** The name of the version in consents; unique among documents, except for the first version. */
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
  /** In lower case, for searching. */
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
  /** The tag or memo that belongs to the address; empty for none. */
  tag: string
  /** Daily limits of deposits: of all users, and of one user. Null for no limit. */
  day_limit: bigint | null
  person_day_limit: bigint | null
  /** Announced limits take effect at `limits_from` (epoch ms); until then those before them are in force. */
  day_limit_before: bigint | null
  user_day_limit_before: bigint | null
  limits_from: bigint | null
  /** The value of one unit in the account currency, in units of 1e-10; null for the market rate. */
  fixed_rate: bigint | null
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
  day_limit_before: bigint | null
  user_day_limit_before: bigint | null
  limits_from: bigint | null
  /** The value of one unit in the account currency, in units of 1e-10; null for the market rate. */
  fixed_rate: bigint | null
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
  /** An amount of money, or a rate in units of 1e-6. */
  fee: bigint
  /** A plain decimal. */
  usd_price: string
  minimum: bigint
  maximum: bigint | null
  /** The daily limit of one user; null for no limit. */
  person_day_limit: bigint | null
  user_day_limit_before: bigint | null
  limits_from: bigint | null
  is_on: bigint
  version: bigint
  changed_at: bigint
}

/** The time of publication up to which a user has seen the news. */
export type NewsSeenTable = { user_id: bigint; at: bigint }

/** An external feed whose items are imported as news. */
export type NewsFeedTable = {
  id: bigint
  address: string
  name: string
  /** The language and category of imported items. */
  language: string
  category: string
  /** draft or live: the state of imported items. */
  item_state: string
  is_on: bigint
  version: bigint
  changed_at: bigint
  /** The operator who last changed the feed, as whose uploads its pictures are stored. */
  operator_id: bigint
  /** When it was last fetched, the problem if that failed, and the number of imported items. */
  asked_at: bigint | null
  problem: string
  taken: bigint
}

/** Imported items by a hash of feed and item, so that none is imported twice. */
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
