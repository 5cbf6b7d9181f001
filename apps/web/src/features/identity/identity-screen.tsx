import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Hourglass } from 'lucide-react'
import { useTranslations } from 'use-intl'
import {
  getIdentityCheck,
  IDENTITY_FIELDS,
  type IdentityCheck,
  type IdentityField,
  type IdentityForm,
  isNameText,
  sendIdentity,
} from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { change } from '../../live/requests/change.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PictureField } from '../../ui/picture-field.tsx'

/** A key below `user`, which is refetched when an operator decides something about the user. */
const IDENTITY_KEY = ['user', 'identity']

const useIdentityCheck = () =>
  useQuery({
    queryKey: IDENTITY_KEY,
    queryFn: ({ signal }) => request(getIdentityCheck, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Sends the form. Rejects if the server does, without showing a message. */
async function sendDocuments(form: IdentityForm): Promise<void> {
  await change(sendIdentity, form, { isSilent: true, isWaitedFor: true, showsConfirmation: true })
  await queryClient.invalidateQueries({ queryKey: ['user'] })
}

/** The identity check: a form at first, then its status and result. */
export function IdentityScreen() {
  const query = useIdentityCheck()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Loaded query={query}>
        {(check) =>
          check.status === 'waiting' || check.status === 'verified' ? (
            <SentDocuments status={check.status} check={check} />
          ) : (
            // A new attempt starts with a fresh form.
            <DocumentForm key={`${check.status} ${check.sentAt}`} check={check} />
          )
        }
      </Loaded>
    </div>
  )
}

type SentDocumentsProps = { status: 'waiting' | 'verified'; check: IdentityCheck }

/** The status, with the details that were sent. */
function SentDocuments({ status, check: { name, number, sentAt } }: SentDocumentsProps) {
  const t = useTranslations('identity')
  const { moments } = useLocale()
  return (
    <Card>
      <div role="status">
        <EmptyState
          icon={status === 'waiting' ? Hourglass : BadgeCheck}
          title={t(status)}
          text={t(`${status}Text`)}
        />
      </div>
      {sentAt !== null && (
        <DefinitionList
          rows={[
            { term: t('ownName'), value: <bdi translate="no">{name}</bdi> },
            {
              term: t('document'),
              value: (
                <bdi dir="ltr" translate="no">
                  {number}
                </bdi>
              ),
            },
            { term: t('sentAt'), value: moments.dateTime(sentAt) },
          ]}
        />
      )}
    </Card>
  )
}

/** Name, number and both sides of a document, or only the parts that were rejected. */
function DocumentForm({ check }: { check: IdentityCheck }) {
  const t = useTranslations('identity')
  const { form, required, problemOf, onSubmit, isBusy } = useDocumentForm(check)
  const isAgain = check.status === 'rejected'
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        {isAgain ? (
          <div role="status">
            <p className="font-bold">{t('rejected', { count: required.length })}</p>
            <p className="text-note text-second">{t('rejectedText')}</p>
          </div>
        ) : (
          <p className="text-note text-second">{t('intro')}</p>
        )}
        {required.includes('name') && (
          <TextField
            label={t('name')}
            value={form.values.name}
            maxLength={LENGTHS_MAX.name}
            problem={problemOf('name')}
            autoComplete="name"
            onChange={(name) => form.set({ name })}
          />
        )}
        {required.includes('number') && (
          <TextField
            label={t('number')}
            value={form.values.number}
            maxLength={LENGTHS_MAX.number}
            problem={problemOf('number')}
            autoComplete="off"
            dir="ltr"
            onChange={(number) => form.set({ number })}
          />
        )}
        {(['front', 'reverse'] as const).map(
          (side) =>
            required.includes(side) && (
              <PictureField
                key={side}
                label={t(side)}
                hint={t(`${side}Hint`)}
                problem={problemOf(side)}
                onChange={(picture) => form.set({ [side]: picture ?? '' })}
              />
            ),
        )}
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t(isAgain ? 'sendAgain' : 'send')}
        </Button>
      </FormFrame>
    </Card>
  )
}

type IdentityValues = Record<IdentityField, string>

const ERROR_FIELDS = {
  identityNameInvalid: 'name',
  nameInvalid: 'name',
  identityNumberInvalid: 'number',
} as const

/** The most characters that the server accepts. */
const LENGTHS_MAX = { name: 100, number: 40 } as const
const MISSING = {
  name: 'enterName',
  number: 'enterNumber',
  front: 'addPicture',
  reverse: 'addPicture',
} as const

/** All parts of the form at first; after a rejection only the rejected ones, each with its reason. */
function useDocumentForm({ faults, name }: IdentityCheck) {
  const t = useTranslations('identity')
  const app = useTranslations('app')
  const rejections = new Map(faults.map(({ field, reason }) => [field, reason]))
  const required = IDENTITY_FIELDS.filter((field) => rejections.size === 0 || rejections.has(field))
  const form = useKeptForm<IdentityValues>('identity', () => ({ name, number: '', front: '', reverse: '' }), [
    'front',
    'reverse',
  ])
  const { values, problems } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (given) => ({
      ...(required.includes('name') && !isNameText(given.name) && { name: app('nameInvalid') }),
      ...Object.fromEntries(
        required.flatMap((field) => (given[field].trim() === '' ? [[field, t(MISSING[field])]] : [])),
      ),
    }),
    send: (given) => {
      const sent = (field: IdentityField) => (required.includes(field) ? given[field].trim() : null)
      return sendDocuments({
        name: sent('name'),
        number: sent('number'),
        front: sent('front'),
        reverse: sent('reverse'),
      })
    },
    fields: ERROR_FIELDS,
    onDone: () => undefined,
  })
  /** What is wrong with a field's current value, or why the value that was sent was rejected. */
  const problemOf = (field: IdentityField): string | undefined => {
    const isAsSent = values[field] === (field === 'name' ? name : '')
    return problems[field] ?? (isAsSent ? rejections.get(field) : undefined)
  }
  return { form, required, problemOf, onSubmit, isBusy }
}
