import { saveCompany, type Company } from '@fairlot/contract/desk'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { PictureField } from '../../ui/picture-field.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

type Form = Omit<Company, 'id' | 'version' | 'changedAt'>

const EMPTY: Form = {
  ...{ name: '', subject: '', logo: '', url: '', registeredAddress: '', location: '', email: '' },
  ...{ lossUrl: '', isOn: true },
}

const FIELDS: readonly { name: Exclude<keyof Form, 'isOn' | 'logo'>; label: string; hint?: string }[] = [
  { name: 'name', label: 'Name' },
  { name: 'subject', label: 'Subject' },
  { name: 'url', label: 'Website' },
  { name: 'email', label: 'E-mail' },
  { name: 'location', label: 'Location' },
  { name: 'registeredAddress', label: 'Registered address' },
  {
    name: 'lossUrl',
    label: 'Where its visitors go once it is off',
    hint: 'Only to hosts listed in the setting loss_hosts.',
  },
]

/** Writes a company, or a new one. */
export function CompanyDialog({ company, onClose }: { company: Company | null; onClose: () => void }) {
  const [change, setChange] = useState<Partial<Form>>({})
  const before: Form = company ?? EMPTY
  const form = { ...before, ...change }
  const { name, subject, logo, url, registeredAddress, location, email, lossUrl, isOn } = form
  return (
    <ReasonDialog
      title={company ? `Edit ${company.name}` : 'Add a company'}
      endpoint={saveCompany}
      inputOf={(reason) => ({
        ...{ id: company?.id ?? null, version: company?.version ?? 0, reason },
        ...{ name, subject, logo, url, registeredAddress, location, email, lossUrl, isOn },
      })}
      check={() => (name.trim() === '' ? 'Say what it is called.' : null)}
      sendLabel="Save"
      done="The company is saved."
      onClose={onClose}
    >
      {FIELDS.map((field) => (
        <TextField
          key={field.name}
          label={field.label}
          hint={field.hint}
          value={form[field.name]}
          onChange={(text) => setChange({ ...change, [field.name]: text })}
        />
      ))}
      <PictureField label="Logo" value={logo} onChange={(next) => setChange({ ...change, logo: next })} />
      <Checkbox isChecked={isOn} onChange={(next) => setChange({ ...change, isOn: next })}>
        Shown in the directory
      </Checkbox>
    </ReasonDialog>
  )
}
