import { valueOf, type CallOptions, type Endpoint, type Outcome } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { clientOf } from '../../testing/client.ts'

/** Calls the server without the browser, as a user or a visitor. */
export type Api = {
  /** The result; a rejection is thrown. */
  readonly request: <Input, Output>(endpoint: Endpoint<Input, Output>, input: Input) => Promise<Output>
  readonly try: <Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options?: CallOptions<AbortSignal>,
  ) => Promise<Outcome<Output>>
}

export function apiOf(url: string, token: string | null): Api {
  const client = clientOf(url, token)
  return {
    request: async (endpoint, input) => valueOf(await client.call(endpoint, input)),
    try: client.call,
  }
}

/** The session of the user of a page. */
export async function tokenOf(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('fairlot.token'))
  if (token === null) throw new Error('nobody is logged in on this page')
  return token
}

/** The API as the user of a page. */
export const apiAs = async (page: Page): Promise<Api> =>
  apiOf(new URL(page.url()).origin, await tokenOf(page))
