import { subjectLabel } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import { listOperatorRows } from '../operators/operator-repository.ts'

/** A subject in words: colleagues by their names, for nobody knows their numbers. */
export type SubjectNames = (subject: string) => string

export async function subjectNames(queries: Queries): Promise<SubjectNames> {
  const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [`operator:${id}`, name]))
  return (subject) => subjectLabel(subject, names.get(subject))
}
