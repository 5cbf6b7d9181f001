/** The value of `used_by` for a file that is about to be removed. */
export const REMOVAL = 'removal'

/** A piece of text in a picture, see `textPiecesOf`. */
export type PictureTextTable = {
  /** Of `stored_file`. */
  key: string
  /** From top to bottom. */
  place: bigint
  /** In thousandths. */
  ratio: bigint
  shape: string
  mark: string
}

/** An uploaded file. Its bytes are stored by key in the data folder or a bucket. */
export type StoredFileTable = {
  /** 192 random bits, base64url. */
  key: string
  /** The owner; null for a file of an operator. */
  user_id: bigint | null
  /** The operator who has uploaded it; null for a file of a user. Both are set once it was passed to a user. */
  operator_id: bigint | null
  /** `proof`: for its owner and the desk. `public`: for everybody, never removed. */
  kind: string
  content_type: string
  bytes: bigint
  width: bigint
  height: bigint
  /** The hashes of the stored and of the uploaded bytes. */
  sha256: string
  original_sha256: string
  /** The perceptual hash of the picture, 64 bits in hex: equal for pictures that look the same. */
  look: string
  created_at: bigint
  /** The case that it belongs to, such as `deposit:7`; null: none, so it is removed after a day. */
  used_by: string | null
}
