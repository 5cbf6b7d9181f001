import type { RelatedCase } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Link } from 'react-router'
import { PersonLink } from '../../ui/person-link.tsx'
import { Passage } from '../../ui/split-view.tsx'

/** Cases that tell of what may be the same transfer, each with the way to it; to its person where it is over. */
export const RelatedCases = ({ cases }: { cases: readonly RelatedCase[] }) => (
  <Passage title="Perhaps the same transfer">
    <ul className="divide-y divide-line">
      {cases.map((each) => (
        <RelatedRow key={each.caseKey} related={each} />
      ))}
    </ul>
  </Passage>
)

function RelatedRow({ related: { caseKey, title, accountId, why, state, waits } }: { related: RelatedCase }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-note">
      <span>
        {waits ? (
          <Link
            to={`/waiting/${caseKey}`}
            className="font-medium underline decoration-line underline-offset-4"
          >
            {title}
          </Link>
        ) : (
          <span className="font-medium">{title}</span>
        )}
        {accountId !== null && (
          <>
            {' of '}
            <PersonLink accountId={accountId} />
          </>
        )}
        {state !== '' && <span className="text-second"> · {state}</span>}
      </span>
      <Badge tone="down">{why}</Badge>
    </li>
  )
}
