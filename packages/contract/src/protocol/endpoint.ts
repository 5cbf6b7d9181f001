import type { Access } from './access.ts'
import type { Codec } from './codec.ts'

/** A call as data: its transport and its access. The server binds a handler to it, the client calls it. */
export type Operation<Input = unknown, Output = unknown> = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Changes something for a user, so it accepts an Idempotency-Key: at most one effect. */
  readonly changes: boolean
  /** Our client sends its body form-encoded, as in the spec; the server accepts both everywhere. */
  readonly isForm: boolean
  readonly request: Codec<Input>
  readonly response: Codec<Output>
  readonly summary: string
}

/** A call of the traders' API. */
export type Endpoint<Input = unknown, Output = unknown> = Operation<Input, Output> & {
  /** Older clients of this family make this changing call by GET. Ours never does. */
  readonly alsoGet: boolean
  readonly access: Access
}

type Optional = 'alsoGet' | 'changes' | 'isForm'

type Declared<Input, Output> = Omit<Endpoint<Input, Output>, Optional> & Partial<Pick<Endpoint, Optional>>

export const defineEndpoint = <Input, Output>(
  endpoint: Declared<Input, Output>,
): Endpoint<Input, Output> => ({ alsoGet: false, changes: false, isForm: false, ...endpoint })

/** The input of an endpoint. */
export type InputOf<E> = E extends Operation<infer Input, unknown> ? Input : never

/** The output of an endpoint. */
export type OutputOf<E> = E extends { readonly response: Codec<infer Output> } ? Output : never

/** Maximum length of an Idempotency-Key, in characters. */
export const REQUEST_ID_LENGTH_MAX = 64
