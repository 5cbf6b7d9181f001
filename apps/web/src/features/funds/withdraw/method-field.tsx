import type { ReceivingMethod } from '@fairlot/contract'
import { useState } from 'react'
import { navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { ConfirmDialog } from '@fairlot/ui/confirm-dialog.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { methodName } from '../method-name.ts'
import type { Way } from '../payment-queries.ts'

type MethodFieldProps = {
  kind: Way
  methods: readonly ReceivingMethod[]
  value: string
  problem: string | undefined
  needsMethod: boolean
  onChange: (id: string) => void
  closeDialog: () => void
}

/** Where bound methods of a kind are added: the page takes its kind by number. */
export const bindPath = (kind: Way): string => `/mine/withdraw-way?type=${kind === 'coin' ? 1 : 2}`

/** Which bound method a withdrawal goes to; without one, the way to the page where one is bound. */
export function MethodField(props: MethodFieldProps) {
  const { kind, methods, value, problem, needsMethod, onChange, closeDialog } = props
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const [now] = useState(Date.now)
  const nameOf = (method: ReceivingMethod) =>
    method.usableAt > now
      ? `${methodName(method)} (${t('waitsUntil', { time: moments.dateTime(method.usableAt) })})`
      : methodName(method)
  const none = methods.length === 0 ? [{ value: '', label: t('noMethod') }] : []
  return (
    <>
      <SelectField
        label={t('method')}
        value={value}
        options={[...none, ...methods.map((each) => ({ value: String(each.id), label: nameOf(each) }))]}
        problem={problem}
        onChange={onChange}
      />
      <ConfirmDialog
        isOpen={needsMethod}
        title={t('needMethod')}
        text={t('needMethodText')}
        confirmLabel={t('bindNow')}
        cancelLabel={t('notNow')}
        onConfirm={() => navigate(bindPath(kind))}
        onClose={closeDialog}
      />
    </>
  )
}
