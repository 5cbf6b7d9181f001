import { createClient, type Client } from '@fairlot/contract'

type ClientOptions = {
  readonly language?: string
  /** An answer that takes longer counts as none, ms; we wait for ever when it is left out. */
  readonly withinMs?: number
}

/** The contract's own client, as the web app uses it; a visitor's where there is no token. */
export const clientOf = (
  baseUrl: string,
  token: string | null = null,
  { language = 'en', withinMs }: ClientOptions = {},
): Client<AbortSignal> =>
  createClient<AbortSignal>({
    fetch: (address, request) =>
      fetch(
        address,
        withinMs === undefined ? request : { ...request, signal: AbortSignal.timeout(withinMs) },
      ),
    baseUrl,
    language: () => language,
    token: () => token,
    now: Date.now,
  })
