import { listCompanies, type Company, companiesFile } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { CompanyDialog } from './company-dialog.tsx'

const stateOf = ({ isOn }: Company) => (isOn ? <Badge tone="up">On</Badge> : <Badge tone="down">Off</Badge>)

const COLUMNS: readonly Column<Company>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name, onPhone: 'title' },
  { key: 'state', title: 'State', cell: stateOf, onPhone: 'figure' },
  { key: 'subject', title: 'Subject', cell: ({ subject }) => subject },
  { key: 'location', title: 'Location', cell: ({ location }) => location },
]

/** The directory of main mode. A company is switched off, never deleted. */
export function CompaniesScreen({ filter }: { filter: PageFilter<string> }) {
  const [search, setSearch] = useState('')
  const { table } = usePaged(listCompanies, { search }, { rowsOf: ({ companies }) => companies })
  const [openId, setOpenId] = useState<number | null>(null)
  const [editing, setEditing] = useState<Company | 'new' | null>(null)
  const mayEdit = useMay('editContent')
  const open = table.rows?.find(({ id }) => id === openId)
  const acts = mayEdit && open && <Button onClick={() => setEditing(open)}>Edit</Button>
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={open ? { name: open.name, body: <CompanyDetail company={open} />, acts } : null}
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
            text: 'Readers of main mode find the companies that stand here.',
          }}
        />
      </Page>
      {editing && (
        <CompanyDialog company={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </SplitView>
  )
}

function CompanyDetail({ company }: { company: Company }) {
  const now = useNow()
  return (
    <>
      <DetailHead kind={`Company ${company.id}`} title={company.name} badge={stateOf(company)} />
      <FactList
        facts={[
          { label: 'Subject', value: company.subject },
          { label: 'Website', value: company.url },
          { label: 'E-mail', value: company.email },
          { label: 'Location', value: company.location },
          { label: 'Registered address', value: company.registeredAddress },
          { label: 'Logo', value: company.logo ? <Logo address={company.logo} /> : 'none' },
          { label: 'Visitors go to', value: company.lossUrl || 'nowhere else' },
          { label: 'Changed', value: moment(company.changedAt, now) },
        ]}
      />
    </>
  )
}

const Logo = ({ address }: { address: string }) => (
  <img src={address} alt="" className="h-8 max-w-32 object-contain" />
)
