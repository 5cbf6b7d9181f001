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

/** Signs that the server takes of a name, an address, and a number or code. */
const MOST = { name: 140, address: 200, code: 40 } as const

/** Numbers and codes read from left to right, and no keyboard knows better. */
const CODE = { dir: 'ltr', autoCapitalize: 'characters', spellCheck: false } as const

const FIELDS = [
  ['payeeName', 'payeeName', 'name'],
  ['bankName', 'bankName', 'name'],
  ['iban', 'iban', 'code'],
  ['payeeAccount', 'accountNumber', 'code'],
  ['bic', 'bicOptional', 'code'],
  ['routeNumber', 'routeNumber', 'code'],
  ['bankAddress', 'bankAddressOptional', 'address'],
  ['payeeAddress', 'payeeAddress', 'address'],
  ['postCode', 'postCode', 'code'],
] as const

/** Everything that a bank may want to know to pay somebody. */
export function BankFields({ values, problems, onChange }: BankFieldsProps) {
  const t = useTranslations('payments')
  return (
    <>
      {FIELDS.map(([name, label, sort]) => (
        <TextField
          key={name}
          label={t(label)}
          value={values[name]}
          maxLength={MOST[sort]}
          autoComplete="off"
          {...(sort === 'code' && CODE)}
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
