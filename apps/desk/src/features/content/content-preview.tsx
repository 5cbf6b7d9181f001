import { PUBLIC_PICTURE_PATH, type LanguageCode } from '@fairlot/contract'
import { previewContent, type ContentText } from '@fairlot/contract/desk'
import { useEffect, useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import './rich-text.css'

/** After the last letter, ms. */
const SETTLED_MS = 500

type ContentPreviewProps = {
  language: LanguageCode
  texts: readonly ContentText[]
  /** The name of a public picture. */
  picture: string | null
}

/** What a reader of a language would see: cleaned and chosen by the server, as it is for readers. */
export function ContentPreview({ language, texts, picture }: ContentPreviewProps) {
  const settled = useSettled(texts)
  const { data, problem } = useDeskQuery(previewContent, { language, texts: settled })
  const shown = data?.shown
  return (
    <section aria-label="Preview" className="rounded-card bg-page p-4">
      <h2 className="text-tiny text-second">
        As a reader of {LANGUAGE_NAMES[language]} sees it
        {shown && shown.language !== language && `: in ${LANGUAGE_NAMES[shown.language]}, for want of a text`}
      </h2>
      <div className="mx-auto mt-3 max-w-sm rounded-sheet bg-surface p-4 text-ink">
        {problem !== null && <p className="text-note text-danger">{problem}</p>}
        {problem === null && !shown && <p className="text-note text-second">Nothing to be seen yet.</p>}
        {shown && (
          <article lang={LANGUAGE_TAGS[shown.language]} dir={directionOf(shown.language)}>
            {picture !== null && (
              <img src={PUBLIC_PICTURE_PATH + picture} alt="" className="mb-3 w-full rounded-field" />
            )}
            <h3 className="text-title font-bold">{shown.title}</h3>
            {shown.summary !== '' && <p className="mt-1 text-note text-second">{shown.summary}</p>}
            {/* The server has cleaned it by the rules that readers are protected by. */}
            <div className="rich-text mt-3 text-body" dangerouslySetInnerHTML={{ __html: shown.body }} />
          </article>
        )}
      </div>
    </section>
  )
}

/** The texts once nothing has been typed for a moment. */
function useSettled(texts: readonly ContentText[]): readonly ContentText[] {
  const [settled, setSettled] = useState(texts)
  const key = JSON.stringify(texts)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as ContentText[]), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}
