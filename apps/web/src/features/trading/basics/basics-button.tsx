import { CircleQuestionMark } from 'lucide-react'
import { lazy, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { PartMissing } from '../../../ui/part-missing.tsx'
import type { TicketView } from '../ticket/use-ticket.ts'

const Basics = lazy(async () => ({ default: (await import('./basics.tsx')).Basics }))
const AccountBasics = lazy(async () => ({ default: (await import('./basics.tsx')).AccountBasics }))

/** Explains the terms of a ticket by its own figures. */
export const TicketBasicsButton = ({ view }: { view: TicketView }) => (
  <BasicsButton>
    <Basics view={view} />
  </BasicsButton>
)

/** Explains the terms of the account by its own figures, and those of a ticket by the selected instrument. */
export const AccountBasicsButton = () => (
  <BasicsButton>
    <AccountBasics />
  </BasicsButton>
)

/** One tap to what lot, leverage, margin level and stop-out mean. */
function BasicsButton({ children }: { children: ReactNode }) {
  const t = useTranslations()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={CircleQuestionMark}
        label={t('basics.open')}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      <Sheet
        isOpen={isOpen}
        title={t('basics.title')}
        closeLabel={t('app.close')}
        onClose={() => setIsOpen(false)}
      >
        <SmallPart loading={<Skeleton shape="my-2 h-80 w-full" />} instead={<PartMissing />}>
          {children}
        </SmallPart>
      </Sheet>
    </>
  )
}
