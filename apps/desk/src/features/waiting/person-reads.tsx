import type { CaseWords } from '@fairlot/contract/desk'
import { Passage } from '../../ui/split-view.tsx'

const WHEN: Record<CaseWords['when'], string> = {
  now: 'Now',
  approved: 'Once approved',
  refused: 'Once refused',
}

/** Tags of the languages that catalogues exist in, for the browser's voice and letters. */
const TAGS: Readonly<Record<string, string>> = { hk: 'zh-HK' }

/** The very words that the trader reads, in their language and in English. */
export const PersonReads = ({ words }: { words: readonly CaseWords[] }) => (
  <Passage title="What the person reads">
    {words.map(({ when, language, text }) => (
      <p key={`${when} ${language} ${text}`} className="pt-1">
        <span className="text-second">{WHEN[when]}: </span>
        <q lang={TAGS[language] ?? language}>{text}</q>
      </p>
    ))}
  </Passage>
)
