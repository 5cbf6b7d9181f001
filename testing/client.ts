import { createClient, type Client } from '@fairlot/contract'

type ClientOptions = {
  readonly language?: string
  /** Time-out of a call, ms; none when left out. */
  readonly withinMs?: number
}

/** The contract's own client, as the web app uses it; without a token that of a visitor. */
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
