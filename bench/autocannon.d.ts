declare module 'autocannon' {
  type Client = { setHeaders(headers: Readonly<Record<string, string>>): void }
  type Options = {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly method: 'POST'
    readonly body: string
    readonly setupClient: (client: Client) => void
    readonly verifyBody: (body: string) => boolean
  }
  type Result = {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    readonly mismatches: number
    /** Seconds. */
    readonly duration: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
