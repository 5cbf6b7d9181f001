import type { CaseWords, WaitingDetail } from '@fairlot/contract/desk'
import { Passage } from '../../ui/split-view.tsx'

const WHEN: Record<CaseWords['when'], string> = {
  now: 'Now',
  approved: 'Once approved',
  refused: 'Once refused',
}

/** The languages that catalogues exist in: their tags, for the browser's voice and letters, and their names. */
const LANGUAGES: Readonly<Record<string, { tag: string; name: string }>> = {
  en: { tag: 'en', name: 'English' },
  hk: { tag: 'zh-HK', name: 'Chinese' },
}

/** The very words that traders will read, by language; or why they read nothing of it. */
export function PersonReads({ words, noWords, accountId }: Reading) {
  const groups = Map.groupBy(words, ({ when, language }) => `${when} ${language}`)
  return (
    <Passage title={accountId === null ? 'What traders read' : 'What the person reads'}>
      {noWords !== '' && <p className="pt-1">{noWords}</p>}
      {[...groups].map(([key, said]) => (
        <Said key={key} said={said} />
      ))}
    </Passage>
  )
}

type Reading = Pick<WaitingDetail, 'words' | 'noWords'> & { accountId: number | null }

function Said({ said }: { said: readonly CaseWords[] }) {
  const [first] = said
  if (!first) return null
  const { tag, name } = LANGUAGES[first.language] ?? { tag: first.language, name: first.language }
  return (
    <div className="pt-2">
      <h4 className="text-second">
        {WHEN[first.when]}, {name}
      </h4>
      <ul className="mt-1 border-s-2 border-line ps-2.5">
        {said.map(({ text }) => (
          <li key={text} lang={tag} className="whitespace-pre-line wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
