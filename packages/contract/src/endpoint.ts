import type { Access } from './access.ts'
import type { Codec } from './codec.ts'

/** A call of the API as data. The server binds a handler to it, the client calls it; neither knows more. */
export type Endpoint<Input = unknown, Output = unknown> = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Older clients of this family make this changing call by GET. Ours never does. */
  readonly alsoGet: boolean
  readonly access: Access
  /** Changes something for a user, so it takes an Idempotency-Key: at most one effect. */
  readonly changes: boolean
  readonly request: Codec<Input>
  readonly response: Codec<Output>
  readonly summary: string
}

type Declared<Input, Output> = Omit<Endpoint<Input, Output>, 'alsoGet' | 'changes'> &
  Partial<Pick<Endpoint, 'alsoGet' | 'changes'>>

export const defineEndpoint = <Input, Output>(
  endpoint: Declared<Input, Output>,
): Endpoint<Input, Output> => ({ alsoGet: false, changes: false, ...endpoint })

/** What a caller hands to an endpoint. */
export type InputOf<E> = E extends Endpoint<infer Input, unknown> ? Input : never

/** What an endpoint answers. */
export type OutputOf<E> = E extends { readonly response: Codec<infer Output> } ? Output : never

/** Longest Idempotency-Key, in characters. */
export const REQUEST_ID_LENGTH_MAX = 64
