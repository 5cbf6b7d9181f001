import { listSettings, type Setting, settingsFile } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { useCallback, useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { SettingActs, SettingDetail } from './setting-detail.tsx'
import { SETTING_TITLES, SOURCE_NAMES, valueText } from './setting-words.ts'

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
  const { data, problem, retry } = useDeskQuery(listSettings, null)
  const [search, setSearch] = useState('')
  const [openName, setOpenName] = useState<string | null>(null)
  const open = data?.settings.find(({ name }) => name === openName)
  const words = search.trim().toLowerCase()
  const fits = (setting: Setting) => `${titleOf(setting)} ${setting.name}`.toLowerCase().includes(words)
  return (
    <SplitView
      onClose={useCallback(() => setOpenName(null), [])}
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
        file={<CsvButton file={settingsFile} input={null} />}
        search={{ label: 'Find a setting', value: search, onSearch: setSearch }}
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          label="Settings"
          columns={COLUMNS}
          rows={data?.settings.filter(fits)}
          keyOf={({ name }) => name}
          selected={openName}
          onOpen={({ name }) => setOpenName(name)}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No setting is here' }}
        />
      </Page>
    </SplitView>
  )
}
