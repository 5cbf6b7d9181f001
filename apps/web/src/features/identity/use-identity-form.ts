import { IDENTITY_FIELDS, type IdentityCheck, type IdentityField } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { sendDocuments } from './queries.ts'

type IdentityValues = Record<IdentityField, string>

const REFUSED = { identityNameInvalid: 'name', identityNumberInvalid: 'number' } as const
const MISSING = {
  name: 'enterName',
  number: 'enterNumber',
  front: 'addPicture',
  reverse: 'addPicture',
} as const

/** All parts of the form at first; after a rejection those that were wrong, each with why. */
export function useIdentityForm({ faults, name }: IdentityCheck) {
  const t = useTranslations('identity')
  const why = new Map(faults.map(({ field, reason }) => [field, reason]))
  const asked = IDENTITY_FIELDS.filter((field) => why.size === 0 || why.has(field))
  const form = useForm<IdentityValues>(() => ({ name, number: '', front: '', reverse: '' }))
  const { values, problems } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (given) =>
      Object.fromEntries(
        asked.flatMap((field) => (given[field].trim() === '' ? [[field, t(MISSING[field])]] : [])),
      ),
    send: (given) => {
      const sent = (field: IdentityField) => (asked.includes(field) ? given[field].trim() : null)
      return sendDocuments({
        ...{ name: sent('name'), number: sent('number'), front: sent('front'), reverse: sent('reverse') },
      })
    },
    fields: REFUSED,
    onDone: () => undefined,
  })
  /** What is wrong with a field: with what is there now, else what was wrong with what was sent. */
  const problemOf = (field: IdentityField): string | undefined => {
    const isAsSent = values[field] === (field === 'name' ? name : '')
    return problems[field] ?? (isAsSent ? why.get(field) : undefined)
  }
  return { form, asked, problemOf, onSubmit, isBusy }
}
