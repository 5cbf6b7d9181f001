/** What a passkey has to sign: a challenge of the server, by one of the keys or, without any, by one that the user picks. */
export type SignatureRequest = {
  readonly challenge: string
  readonly domain: string
  readonly keys: readonly { readonly id: string; readonly transports: readonly string[] }[]
}

/** `account`: how the device lists the passkey. */
export type PasskeyRequest = SignatureRequest & { readonly account: string; readonly handle: string }

export type Signature = {
  readonly id: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
  readonly handle: string | null
}

export type MadePasskey = {
  readonly id: string
  readonly clientData: string
  readonly attestation: string
  readonly transports: readonly string[]
}

/** Why there is no passkey: the user or the browser ended it, the device has one already or no screen lock, or it failed. */
export type PasskeyProblem = 'cancelled' | 'exists' | 'noScreenLock' | 'failed'

/** Loaded at first use: most visits need no passkey. */
const browserPart = () => import('@simplewebauthn/browser')

/** Whether this page can use passkeys of a domain; browsers offer none over plain http or at an address that is a number. */
export function canUsePasskeys(domain: string | null | undefined): boolean {
  if (typeof domain !== 'string' || !window.isSecureContext || !('PublicKeyCredential' in window))
    return false
  const { hostname } = window.location
  if (/^[\d.]+$|:/.test(hostname)) return false
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

/** Whether the browser can offer passkeys inside a field for the account. */
export const hasPasskeyAutofill = async (): Promise<boolean> =>
  (await browserPart()).browserSupportsWebAuthnAutofill()

/** Device prompts wait this long, ms; the server accepts the answer a little longer. */
const PROMPT_MS = 240_000

const shownKeys = ({ keys }: SignatureRequest) =>
  keys.map(({ id, transports }) => ({
    id,
    type: 'public-key' as const,
    transports: [...transports] as never[],
  }))

/**
 * Lets a passkey sign. With `isAutofill` the browser offers it in the field whose autocomplete ends in `webauthn`, and this
 * resolves once the user picks one there. A later call ends an earlier one, which then resolves with `cancelled`.
 */
export async function signWithPasskey(
  request: SignatureRequest,
  { isAutofill = false } = {},
): Promise<Signature | PasskeyProblem> {
  try {
    const { startAuthentication } = await browserPart()
    const { id, response } = await startAuthentication({
      optionsJSON: {
        challenge: request.challenge,
        rpId: request.domain,
        allowCredentials: shownKeys(request),
        userVerification: 'required',
        timeout: PROMPT_MS,
      },
      useBrowserAutofill: isAutofill,
    })
    return {
      id,
      clientData: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
      handle: response.userHandle ?? null,
    }
  } catch (error) {
    return problemOf(error)
  }
}

/** ES256, EdDSA and RS256 by their numbers; every device knows one of them. */
const ALGORITHMS = [-7, -8, -257]

/** Lets the device make a passkey that it can find by itself, protected by its screen lock. */
export async function makePasskey(request: PasskeyRequest): Promise<MadePasskey | PasskeyProblem> {
  try {
    const { startRegistration } = await browserPart()
    const { id, response } = await startRegistration({
      optionsJSON: {
        challenge: request.challenge,
        rp: { id: request.domain, name: 'Fairlot' },
        user: { id: request.handle, name: request.account, displayName: request.account },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
        excludeCredentials: shownKeys(request),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
        timeout: PROMPT_MS,
      },
    })
    return {
      id,
      clientData: response.clientDataJSON,
      attestation: response.attestationObject,
      transports: response.transports ?? [],
    }
  } catch (error) {
    return problemOf(error)
  }
}

/** Ends an offer in a field, when its page is left. */
export const endPasskeyAutofill = (): void =>
  void browserPart().then(
    ({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony(),
    () => undefined,
  )

/** The code is one of the library's, the name one of the browser's. */
function problemOf(error: unknown): PasskeyProblem {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'exists'
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') return 'noScreenLock'
  if (code === 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT') return 'noScreenLock'
  if (code === 'ERROR_CEREMONY_ABORTED' || name === 'NotAllowedError' || name === 'AbortError')
    return 'cancelled'
  return 'failed'
}
