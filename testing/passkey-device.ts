import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { MadePasskey, PasskeySignature } from '@fairlot/contract'

type DeviceOptions = {
  /** The domain and the page that the browser names. */
  readonly domain?: string
  readonly origin?: string
  /** False: a device without a screen lock. */
  readonly isUserVerified?: boolean
  /** A passkey that its maker copies to other devices. */
  readonly isSynced?: boolean
  /** The certificate by which a maker vouches for its device. */
  readonly certificate?: Uint8Array
  /** Null: a device that does not count. */
  readonly counter?: number | null
}

export type PasskeyDevice = {
  readonly id: string
  /** Set to send back, or not to send, another owner's handle. */
  handle: string | null
  /** The count of its next signature. */
  counter: number | null
  make(challenge: { readonly challenge: string; readonly handle: string }): MadePasskey
  sign(challenge: { readonly challenge: string }, change?: DeviceOptions): PasskeySignature
}

export const PASSKEY_ORIGIN = 'http://localhost:8080'

/** A device with one passkey, made of software: what a browser and an authenticator answer together. */
export function createPasskeyDevice(options: DeviceOptions = {}): PasskeyDevice {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = options
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  const clientData = (type: string, challenge: string, { origin = PASSKEY_ORIGIN }: DeviceOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = (
    { domain = 'localhost', isUserVerified = true, isSynced = false }: DeviceOptions,
    counter: number | null,
    flags = 0,
  ) => {
    const synced = isSynced ? 0x18 : 0
    const bytes = Buffer.alloc(5)
    bytes[0] = 0x01 | (isUserVerified ? 0x04 : 0) | synced | flags
    bytes.writeUInt32BE(counter ?? 0, 1)
    return Buffer.concat([createHash('sha256').update(domain).digest(), bytes])
  }
  const device: PasskeyDevice = {
    id,
    handle: null,
    counter: options.counter === undefined ? 1 : options.counter,
    make: ({ challenge, handle }) => {
      device.handle = handle
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coseKey = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(options, 0, 0x40),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey.encoded,
      ])
      const attestation = cborMap([
        ['fmt', certificate ? 'packed' : 'none'],
        ['attStmt', cborMap(certificate ? [['x5c', certificate]] : [])],
        ['authData', authData],
      ])
      return {
        id,
        clientData: clientData('webauthn.create', challenge, options).toString('base64url'),
        attestation: attestation.encoded.toString('base64url'),
        transports: ['internal'],
      }
    },
    sign: ({ challenge }, change = {}) => {
      const given = { ...options, ...change }
      const authenticatorData = head(given, device.counter)
      if (device.counter !== null) device.counter += 1
      const data = clientData('webauthn.get', challenge, given)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()])
      return {
        id,
        clientData: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        handle: device.handle,
      }
    },
  }
  return device
}

type CborValue = number | string | Uint8Array | Cbor
/** An encoded value. */
type Cbor = { readonly encoded: Buffer }

const cborHead = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  const bytes = Buffer.alloc(3)
  bytes[0] = (major << 5) | 25
  bytes.writeUInt16BE(value, 1)
  return bytes
}

function cborOf(value: CborValue): Uint8Array {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if ('encoded' in value) return value.encoded
  return Buffer.concat([cborHead(2, value.length), value])
}

/** A map of numbers, texts, bytes and maps in CBOR, as authenticators write it. */
const cborMap = (entries: readonly (readonly [CborValue, CborValue])[]): Cbor => ({
  encoded: Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cborOf)]),
})
