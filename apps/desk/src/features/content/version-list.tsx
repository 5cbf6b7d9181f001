import type { LanguageCode } from '@fairlot/contract'
import { listContentVersions, type ContentVersion } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { Dialog } from '@fairlot/ui/dialog.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'

/** How a language of an item has read so far; none of it is ever changed. */
export function VersionList({ id, language }: { id: number; language: LanguageCode }) {
  const { data } = useDeskQuery(listContentVersions, { id, language })
  const [shown, setShown] = useState<ContentVersion | null>(null)
  const now = useNow()
  if (!data || data.versions.length === 0) return null
  return (
    <section aria-label="Versions">
      <h2 className="text-tiny text-second">Versions in {LANGUAGE_NAMES[language]}</h2>
      <ul className="divide-y divide-dashed divide-line">
        {data.versions.map((each) => (
          <li key={each.version} className="flex items-center justify-between gap-3 text-note">
            <TextButton onClick={() => setShown(each)}>{each.title || 'taken out'}</TextButton>
            <span className="text-second">
              {moment(each.at, now)}, {each.author || 'with the software'}
            </span>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog
          title={shown.title || 'Taken out'}
          text={`${moment(shown.at, now)}, ${shown.author || 'with the software'}`}
          onClose={() => setShown(null)}
        >
          <p className="text-note text-second">{shown.summary}</p>
          {/* Cleaned by the server when it was written. */}
          <div className="rich-text text-body" dangerouslySetInnerHTML={{ __html: shown.body }} />
          <ButtonRow>
            <Button tone="outline" onClick={() => setShown(null)}>
              Close
            </Button>
          </ButtonRow>
        </Dialog>
      )}
    </section>
  )
}
