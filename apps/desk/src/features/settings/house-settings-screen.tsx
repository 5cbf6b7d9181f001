import { listSettings, SETTING_TITLES, type Setting, settingsFile } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { useCallback, useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { SettingActs, SettingDetail } from './setting-detail.tsx'
import { SOURCE_NAMES, valueText } from './setting-words.ts'

const titleOf = ({ name }: Setting): string => SETTING_TITLES[name] ?? name

const COLUMNS: readonly Column<Setting>[] = [
  { key: 'name', title: 'Setting', cell: titleOf, onPhone: 'title' },
  { key: 'value', title: 'Value', cell: ({ value }) => valueText(value), align: 'end', onPhone: 'figure' },
  {
    key: 'source',
    title: 'Where it comes from',
    cell: ({ source }) => (
      <Badge tone={source === 'stored' ? 'brass' : 'plain'}>{SOURCE_NAMES[source]}</Badge>
    ),
  },
]

/** The settings that are no terms of trading; those stand under Market. */
export function HouseSettingsScreen({ filter }: { filter: PageFilter<string> }) {
  const [search, setSearch] = useState('')
  const { data, problem, retry } = useDeskQuery(listSettings, { search })
  const [opened, setOpened] = useState<Setting | null>(null)
  // As it is now; what is open stays open while something else is searched for.
  const open = data?.settings.find(({ name }) => name === opened?.name) ?? opened
  return (
    <SplitView
      onClose={useCallback(() => setOpened(null), [])}
      detail={
        open
          ? {
              name: titleOf(open),
              body: <SettingDetail key={open.name} setting={open} />,
              acts: <SettingActs key={open.name} setting={open} />,
            }
          : null
      }
    >
      <Page
        title="Settings"
        filter={filter}
        file={<CsvButton file={settingsFile} input={{ search }} />}
        search={{ label: 'Find a setting', value: search, onSearch: setSearch }}
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          label="Settings"
          columns={COLUMNS}
          rows={data?.settings}
          keyOf={({ name }) => name}
          selected={opened?.name ?? null}
          onOpen={setOpened}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No setting is here' }}
        />
      </Page>
    </SplitView>
  )
}
