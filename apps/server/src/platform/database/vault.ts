import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The owner and column of a sealed text: in another row or column it does not open. */
export type SealedPlace = { readonly owner: string; readonly column: string }

/** Encrypts secrets, so that a copy of the database does not reveal them. */
export type Vault = {
  /** Identifies the key without revealing it, 64 bits in hex. */
  readonly keyId: string
  /** Encrypts with AES-256-GCM; the result contains its version and the id of the key. */
  seal(text: string, place: SealedPlace): string
  /** Throws an Error for a text that was not sealed with this key at this place, or was changed since. */
  open(sealed: string, place: SealedPlace): string
  /** Equal for equal texts of a column, and useless without the key: 256 bits in hex. */
  fingerprint(text: string, column: string): string
}

export const KEY_BYTES = 32
const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_LENGTH = 16

/** A vault with a key of 32 random bytes. */
export function createVault(key: Buffer): Vault {
  // A separate key for each use, derived by RFC 5869.
  const keyFor = (use: string) =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `fairlot ${use}`, KEY_BYTES))
  const [sealKey, fingerprintKey] = [keyFor('seal'), keyFor('fingerprint')]
  const keyId = createHash('sha256').update(keyFor('key id')).digest('hex').slice(0, KEY_ID_LENGTH)
  return {
    keyId,
    seal: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, sealKey, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(named(place))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, keyId, nonce.toString('base64url'), hidden.toString('base64url')].join('.')
    },
    open: (sealed, place) => {
      const [version, id, nonce = '', hidden = '', ...rest] = sealed.split('.')
      if (version !== VERSION || id !== keyId || rest.length > 0)
        throw new Error(`a ${place.column} is not sealed by the key of this deployment`)
      const bytes = Buffer.from(hidden, 'base64url')
      const decipher = createDecipheriv(CIPHER, sealKey, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(named(place))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: (text, column) =>
      createHmac('sha256', fingerprintKey)
        .update(JSON.stringify([column, text]))
        .digest('hex'),
  }
}

/** Whether a text is sealed, with any key. */
export const isSealed = (text: string): boolean => text.startsWith(`${VERSION}.`)

const named = ({ owner, column }: SealedPlace): Buffer => Buffer.from(JSON.stringify([column, owner]))
