/** In `used_by`: nobody may use the file any more, its bytes are going. */
export const REMOVAL = 'removal'

/** A file that somebody has uploaded. Its bytes lie under its key in the data folder or a bucket. */
export type StoredFileTable = {
  /** 192 random bits, base64url. */
  key: string
  /** Whose it is; null for one that an operator keeps. */
  user_id: bigint | null
  /** Which operator has sent it; null for one of a user. Both are set once it was handed over to a user. */
  operator_id: bigint | null
  /** `proof`: for its owner and the desk. `public`: for everybody, and kept for good. */
  kind: string
  content_type: string
  bytes: bigint
  width: bigint
  height: bigint
  /** Of what is kept, and of what was sent. */
  sha256: string
  original_sha256: string
  /** The difference hash of the picture, 64 bits in hex: pictures that look the same have the same. */
  look: string
  created_at: bigint
  /** The case that it belongs to, such as `deposit:7`; null: none, so it goes after a day. `removal`: it is going. */
  used_by: string | null
}
