import { NOTE_LENGTH, type PersonNote } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { noteOf } from './person-lists.ts'

/** What an operator writes about somebody: any text, kept and shown as text. */
type Written = { readonly id: number; readonly text: string }

export const createAddNote =
  ({ acts, now }: DeskServices) =>
  (operator: DeskOperator, written: Written): Promise<{ note: PersonNote } | Refusal> | Refusal => {
    const refusal = refusalOfNote(written.text)
    if (refusal) return refusal
    const { id } = written
    const act = { operator, act: 'notePerson', subject: `person:${id}`, accountId: id } as const
    return acts.note(act, (within) => insert(within, operator, written, now()))
  }

const refusalOfNote = (text: string): Refusal | null => {
  if (text.trim() === '') return refuse('noteBlank', { field: 'text' })
  return text.length > NOTE_LENGTH
    ? refuse('noteTooLong', { field: 'text', maximumLength: NOTE_LENGTH })
    : null
}

async function insert(
  within: Transaction<Tables>,
  operator: DeskOperator,
  { id, text }: Written,
  at: number,
): Promise<{ note: PersonNote } | Refusal> {
  const known = await within
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  if (!known) return refuse('accountNotFound')
  const { most } = await within
    .selectFrom('person_note')
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  const row = {
    ...{ id: ((most as bigint | null) ?? 0n) + 1n, account_id: BigInt(id), at: BigInt(Math.floor(at)) },
    ...{ operator_id: BigInt(operator.id), operator_name: operator.name, role: operator.role },
    text: text.trim(),
  }
  await within.insertInto('person_note').values(row).execute()
  return { note: noteOf(row) }
}
