import { callOffRecovery, getOperatorMode, type Recovery } from '@fairlot/contract/desk'
import { Banner } from '@fairlot/ui/feedback/banner.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { useMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { KeyRound, RefreshCw, UserPlus, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { moment } from '../i18n/moments.ts'
import { useNow } from '../live/clock.ts'
import { useDeskQuery } from '../live/queries.ts'
import { useIsConnectionLost } from '../live/socket.ts'
import { useMay } from '../live/session.ts'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { ROLE_NAMES } from '../ui/operator-names.ts'

/** Banners above every screen: a lost connection, a part that could not be loaded, single-operator mode, and a log-in recovery started by a command on the server. */
export function OperatorBanners() {
  const { data } = useDeskQuery(getOperatorMode, null)
  const isLost = useIsConnectionLost()
  const isPartMissing = useMissingPart(({ isMissing }) => isMissing)
  return (
    <>
      {isLost && (
        <Banner icon={WifiOff}>Connection lost: what you see may be out of date. Reconnecting…</Banner>
      )}
      {/* Without a connection a reload would not bring the part either. */}
      {isPartMissing && !isLost && <MissingPartBanner />}
      {data?.isSingleOperator && <SingleOperatorBanner />}
      {data?.recovery && <RecoveryBanner recovery={data.recovery} />}
    </>
  )
}

const MissingPartBanner = () => (
  <Banner icon={RefreshCw}>
    A part of the desk could not be loaded. The connection may be weak, or a new version was released.{' '}
    <Button tone="outline" size="small" onClick={() => location.reload()}>
      Reload
    </Button>
  </Banner>
)

function SingleOperatorBanner() {
  const mayInvite = useMay('changeOperators')
  return (
    <Banner icon={UserPlus}>
      Only one operator can approve requests: deposits and withdrawals are closed, and actions that need two
      operators are not accepted.{' '}
      {mayInvite ? (
        <Link className="underline" to="/settings/operators">
          Invite a second operator for compliance or as administrator
        </Link>
      ) : (
        'An administrator can invite a second operator.'
      )}
    </Banner>
  )
}

/** Any operator may cancel a recovery until it takes effect. */
function RecoveryBanner({ recovery: { name, role, isNew, effectiveAt, reason } }: { recovery: Recovery }) {
  const now = useNow()
  const [isCancelling, setIsCancelling] = useState(false)
  const who = isNew ? `${asName(name)} (new operator, ${ROLE_NAMES[role]})` : asName(name)
  return (
    <Banner icon={KeyRound}>
      {withNames(
        `Recovery started on the server: ${who} can log in with new keys from ${asName(moment(effectiveAt, now))}. Reason: ${reason} `,
      )}
      {now < effectiveAt && (
        <Button tone="outline" size="small" onClick={() => setIsCancelling(true)}>
          Cancel the recovery
        </Button>
      )}
      {isCancelling && (
        <ReasonDialog
          title="Cancel the recovery"
          text="Its keys will not work. The server administrator can start another recovery, which all operators are shown again."
          endpoint={callOffRecovery}
          inputOf={(cancelReason) => ({ reason: cancelReason })}
          submitLabel="Cancel the recovery"
          done="Recovery cancelled."
          onClose={() => setIsCancelling(false)}
        />
      )}
    </Banner>
  )
}
