import type { Access } from './access.ts'
import type { Codec } from './codec.ts'

/** A call as data: how it travels, whoever may make it. The server binds a handler to it, the client calls it; neither knows more. */
export type Operation<Input = unknown, Output = unknown> = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Changes something for a user, so it takes an Idempotency-Key: at most one effect. */
  readonly changes: boolean
  /** Our client sends its body form-encoded, as the spec has it; the server takes both everywhere. */
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

/** What a caller hands to an endpoint. */
export type InputOf<E> = E extends Operation<infer Input, unknown> ? Input : never

/** What an endpoint answers. */
export type OutputOf<E> = E extends { readonly response: Codec<infer Output> } ? Output : never

/** Longest Idempotency-Key, in characters. */
export const REQUEST_ID_LENGTH_MAX = 64
