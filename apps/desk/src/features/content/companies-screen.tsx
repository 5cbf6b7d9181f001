import { companiesFile, type Company, listCompanies, saveCompany } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptForm } from '../../live/kept-input.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { OnBadge } from '../../ui/on-badge.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'

const COLUMNS: readonly Column<Company>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => asName(name), onPhone: 'title' },
  { key: 'state', title: 'State', cell: ({ isOn }) => <OnBadge isOn={isOn} />, onPhone: 'figure' },
  { key: 'subject', title: 'Subject', cell: ({ subject }) => subject },
  { key: 'location', title: 'Location', cell: ({ location }) => asName(location) },
]

/** The company directory of main mode. Companies are switched off, never deleted. */
export function CompaniesScreen({ filter }: SectionPageProps) {
  const [search, setSearch] = useState('')
  const { table } = usePaged(listCompanies, { search }, { rowsOf: ({ companies }) => companies })
  const [openId, setOpenId] = useState<number | null>(null)
  const [editing, setEditing] = useState<Company | 'new' | null>(null)
  const mayEdit = useMay('editContent')
  const open = table.rows?.find(({ id }) => id === openId)
  const actions = mayEdit && open && <Button onClick={() => setEditing(open)}>Edit</Button>
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={open ? { name: open.name, body: <CompanyDetail company={open} />, actions } : null}
    >
      <Page
        title="Content"
        filter={filter}
        search={{ label: 'Find a company', value: search, onSearch: setSearch }}
        file={<CsvButton file={companiesFile} input={{ search }} />}
        actions={
          mayEdit && (
            <Button size="small" onClick={() => setEditing('new')}>
              Add
            </Button>
          )
        }
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          {...table}
          label="Companies"
          columns={COLUMNS}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          empty={{
            title: 'No company is listed',
            text: 'Companies of the directory are listed here.',
          }}
        />
      </Page>
      {editing && (
        <CompanyDialog company={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </SplitView>
  )
}

/** The texts that the detail and the dialog show alike. */
const TEXT_FIELDS = [
  { name: 'subject', label: 'Subject' },
  { name: 'url', label: 'Website' },
  { name: 'email', label: 'E-mail' },
  { name: 'location', label: 'Location' },
  { name: 'registeredAddress', label: 'Registered address' },
] as const

function CompanyDetail({ company }: { company: Company }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Company ${company.id}`}
        title={asName(company.name)}
        badge={<OnBadge isOn={company.isOn} />}
      />
      <FactList
        facts={[
          ...TEXT_FIELDS.map(({ name, label }) => ({
            label,
            value: name === 'subject' ? company[name] : asName(company[name]),
          })),
          { label: 'Logo', value: company.logo ? <Logo address={company.logo} /> : 'none' },
          { label: 'Visitors are redirected to', value: asName(company.redirectUrl) || 'no other site' },
          { label: 'Changed', value: moment(company.changedAt, now) },
        ]}
      />
    </>
  )
}

const Logo = ({ address }: { address: string }) => (
  <img src={address} alt="" className="h-8 max-w-32 object-contain" />
)

type CompanyForm = Omit<Company, 'id' | 'version' | 'changedAt'>

const EMPTY: CompanyForm = {
  name: '',
  subject: '',
  logo: '',
  url: '',
  registeredAddress: '',
  location: '',
  email: '',
  redirectUrl: '',
  isOn: true,
}

/** Edits a company or adds one. */
function CompanyDialog({ company, onClose }: { company: Company | null; onClose: () => void }) {
  const { values: form, set } = useKeptForm(`company ${company?.id ?? 'new'}`, () => formOf(company))
  return (
    <ReasonDialog
      title={company ? `Edit ${asName(company.name)}` : 'Add a company'}
      endpoint={saveCompany}
      inputOf={(reason) => ({ id: company?.id ?? null, version: company?.version ?? 0, reason, ...form })}
      check={() => (form.name.trim() === '' ? 'Enter a name.' : null)}
      submitLabel="Save"
      done="Company saved."
      onClose={onClose}
    >
      <TextField label="Name" value={form.name} onChange={(name) => set({ name })} />
      {TEXT_FIELDS.map(({ name, label }) => (
        <TextField key={name} label={label} value={form[name]} onChange={(text) => set({ [name]: text })} />
      ))}
      <TextField
        label="Redirect visitors to, when switched off"
        hint="Only to hosts listed in the setting loss_hosts."
        value={form.redirectUrl}
        onChange={(redirectUrl) => set({ redirectUrl })}
      />
      <PictureField label="Logo" value={form.logo} onChange={(logo) => set({ logo })} />
      <Checkbox isChecked={form.isOn} onChange={(isOn) => set({ isOn })}>
        Shown in the directory
      </Checkbox>
    </ReasonDialog>
  )
}

function formOf(company: Company | null): CompanyForm {
  if (!company) return EMPTY
  const { id: _id, version: _version, changedAt: _changedAt, ...form } = company
  return form
}
