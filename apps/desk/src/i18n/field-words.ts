import { fieldLabel, type DeskChange } from '@fairlot/contract/desk'
import type { Change } from '../ui/change-list.tsx'

const HOUR_MS = 3_600_000
const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** The value of a field as people say it. Moments are in UTC. */
function fieldValue(field: string, value: string | null): string {
  if (value === null || value === '') return 'nothing'
  if (field.endsWith('noticeMs')) return `${Number(value) / HOUR_MS} h`
  if (field.toLowerCase().endsWith('freshnessms')) return `${value} ms`
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return `${value.slice(0, 16).replace('T', ' ')} UTC`
  return FLAGS[value] ?? value
}

/** What a change touches, in words. */
export const shownChanges = (changes: readonly DeskChange[]): Change[] =>
  changes.map(({ field, before, after }) => ({
    label: fieldLabel(field),
    before: fieldValue(field, before),
    after: fieldValue(field, after),
  }))
