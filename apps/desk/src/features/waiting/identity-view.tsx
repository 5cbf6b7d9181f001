import { getIdentity, revealIdentityNumber, type IdentityDetail } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { Dialog } from '@fairlot/ui/dialog.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useState } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { PersonLink } from '../../ui/person-link.tsx'
import { Passage } from '../../ui/split-view.tsx'
import { Documents } from './documents.tsx'

/** Who somebody says they are: for compliance alone. */
export function IdentityView({ accountId }: { accountId: number }) {
  const mayView = useMay('viewIdentity')
  const { data } = useDeskQuery(getIdentity, { accountId }, { topics: ['waiting'], isOn: mayView })
  if (!mayView)
    return (
      <Passage title="Documents">
        <p className="text-note text-second">Name, number and pictures are for compliance.</p>
      </Passage>
    )
  return data ? <Shown key={data.sentAt} detail={data} /> : null
}

function Shown({ detail }: { detail: IdentityDetail }) {
  const [isComparing, setIsComparing] = useState(false)
  const doubles = [
    ...detail.sameNumber.map((id) => `the same number at account ${id}`),
    ...detail.samePictures.map((key) => `the same picture in ${key}`),
  ]
  return (
    <Passage title="Documents">
      <DocumentFacts detail={detail} />
      {doubles.length > 0 && (
        <ul aria-label="Possible doubles" className="flex flex-wrap gap-1.5 pt-2">
          {doubles.map((text) => (
            <li key={text}>
              <Badge tone="down">{text}</Badge>
            </li>
          ))}
        </ul>
      )}
      {detail.sameNumber.length > 0 && (
        <p className="pt-1 text-note text-second">
          Compare with{' '}
          {detail.sameNumber.map((id) => (
            <span key={id}>
              <PersonLink accountId={id} />{' '}
            </span>
          ))}
        </p>
      )}
      <div className="pt-2">
        <Button tone="outline" size="small" onClick={() => setIsComparing(true)}>
          Compare with the pictures
        </Button>
      </div>
      {isComparing && (
        <Dialog
          isWide
          title={`Documents of account ${detail.accountId}`}
          text="Each picture is fetched when you ask to see it, and the view is written down."
          onClose={() => setIsComparing(false)}
        >
          <Documents detail={detail} />
          <DocumentFacts detail={detail} />
          <Button tone="outline" onClick={() => setIsComparing(false)}>
            Close
          </Button>
        </Dialog>
      )}
    </Passage>
  )
}

/** Name and number as the person has written them, the number once somebody asks for it. */
function DocumentFacts({ detail: { accountId, name, number } }: { detail: IdentityDetail }) {
  const { run, isBusy } = useDeskAct(revealIdentityNumber)
  const [whole, setWhole] = useState<string | null>(null)
  const reveal = async () => {
    const done = await run({ accountId })
    if (done.ok) setWhole(done.value.number)
  }
  return (
    <>
      <FactList
        facts={[
          { label: 'Name', value: <bdi>{name}</bdi> },
          { label: 'Number', value: <bdi dir="ltr">{whole ?? number}</bdi> },
        ]}
      />
      {whole === null && (
        <TextButton disabled={isBusy} onClick={() => void reveal()}>
          Show the number: the view is written down
        </TextButton>
      )}
    </>
  )
}
