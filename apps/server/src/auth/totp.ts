import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Codes of an authenticator app: RFC 6238 as all of them speak it, SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000
const DIGITS = 6
/** An app's clock may be off by one step either way. */
const DRIFT_STEPS = 1
const SECRET_BYTES = 20
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** A secret of 160 bits in base32. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES))

/** What a QR code holds for an app. */
export const totpAddress = (secret: string, issuer: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`

/** The step whose code this is, within the drift and after `lastStep`; null for a wrong code or one that was taken before. */
export function stepOfCode(secret: string, code: string, at: number, lastStep: number): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null
  const now = Math.floor(at / STEP_MS)
  // A step that lies ahead was taken while the server's clock was; it must not keep its owner out until then.
  const taken = lastStep > now + DRIFT_STEPS ? 0 : lastStep
  const key = bytesOf(secret)
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step++) {
    const isSame = timingSafeEqual(Buffer.from(codeAt(key, step)), Buffer.from(code))
    if (isSame && step > taken) return step
  }
  return null
}

/** The code of a moment, epoch ms. */
export const totpCode = (secret: string, at: number): string =>
  codeAt(bytesOf(secret), Math.floor(at / STEP_MS))

/** RFC 4226 §5.3. */
function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group, 2)]).join('')
}

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret)
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(BITS, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)))
}
