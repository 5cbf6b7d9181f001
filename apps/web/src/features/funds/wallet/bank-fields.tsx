import { useTranslations } from 'use-intl'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import type { Problems } from '@fairlot/ui/use-form.ts'
import type { BindValues } from './use-bind-form.ts'

type BankFieldsProps = {
  values: BindValues
  problems: Problems<BindValues>
  onChange: (change: Partial<BindValues>) => void
}

const FIELDS = [
  ['payeeName', 'payeeName'],
  ['bankName', 'bankName'],
  ['iban', 'iban'],
  ['payeeAccount', 'accountNumber'],
  ['bic', 'bicOptional'],
  ['routeNumber', 'routeNumber'],
  ['bankAddress', 'bankAddressOptional'],
  ['payeeAddress', 'payeeAddress'],
  ['postCode', 'postCode'],
] as const

/** Everything that a bank may want to know to pay somebody. */
export function BankFields({ values, problems, onChange }: BankFieldsProps) {
  const t = useTranslations('payments')
  return (
    <>
      {FIELDS.map(([name, label]) => (
        <TextField
          key={name}
          label={t(label)}
          value={values[name]}
          autoComplete="off"
          problem={problems[name]}
          onChange={(text) => onChange({ [name]: text })}
        />
      ))}
      <SelectField
        label={t('accountType')}
        value={values.accountType}
        options={[
          { value: 'checking', label: t('checking') },
          { value: 'savings', label: t('savings') },
        ]}
        onChange={(accountType) => onChange({ accountType })}
      />
    </>
  )
}
