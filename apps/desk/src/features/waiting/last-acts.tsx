import type { DeskActRow } from '@fairlot/contract/desk'
import { moment } from '../../i18n/moments.ts'
import { actName, outcomeText } from '../../i18n/act-words.ts'

/** What operators did to an account last. */
export const LastActs = ({ acts, now }: { acts: readonly DeskActRow[]; now: number }) => (
  <ul className="flex flex-col gap-1.5 pt-1.5">
    {acts.map((act) => (
      <li key={act.id}>
        <span className="font-medium">{actName(act.act)}</span>
        {outcomeText(act.outcome) !== 'done' && <> · {outcomeText(act.outcome)}</>}
        <span className="block text-second">
          {act.operator}, {moment(act.at, now)}
          {act.reason !== '' && <> · “{act.reason}”</>}
        </span>
      </li>
    ))}
  </ul>
)
