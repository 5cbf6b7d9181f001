import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { preparePasskeyLogin } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { currentAddress } from '@fairlot/ui/navigation/router.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import {
  endPasskeyAutofill,
  hasPasskeyAutofill,
  type PasskeyProblem,
  signWithPasskey,
} from '@fairlot/ui/passkeys/passkeys.ts'
import { rejectionText, request } from '../../live/requests/request.ts'
import { logInWithPasskey } from '../../live/session/session.ts'
import { useCanUsePasskeys } from '../../live/session/second-factor.ts'

/** A new challenge this often, ms: the server accepts one for five minutes. */
const OFFER_MS = 240_000

/** Logs in by a passkey; null once that is done. Rejects when the server does, without showing a message. */
async function logInByPasskey({ isAutofill }: { isAutofill: boolean }): Promise<PasskeyProblem | null> {
  const challenge = await request(preparePasskeyLogin, null, { isSilent: true, isWaitedFor: !isAutofill })
  const signature = await signWithPasskey(challenge, { isAutofill })
  if (typeof signature === 'string') return signature
  await logInWithPasskey(signature)
  return null
}

/** Log-in by a passkey: by a button, and in the field for the account where the browser can offer it there. */
export function PasskeyLogin({ onLoggedIn }: { onLoggedIn: () => void }) {
  const t = useTranslations('factor')
  const canUse = useCanUsePasskeys()
  const [offers, setOffers] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const offerAgain = () => setOffers((count) => count + 1)
  const login = useMutation({
    mutationFn: () => logInByPasskey({ isAutofill: false }),
    onMutate: () => setError(null),
    onSuccess: (problem) => (problem === null ? onLoggedIn() : offerAgain()),
    onError: (reason) => {
      setError(reason)
      offerAgain()
    },
  })
  const onOfferTaken = useEffectEvent(onLoggedIn)
  useEffect(() => {
    if (!canUse) return
    let isOver = false
    const offer = async () => {
      if (!(await hasPasskeyAutofill()) || isOver) return
      const address = currentAddress()
      const problem = await logInByPasskey({ isAutofill: true })
      // Being logged in has removed this part of the screen by now; only a user who has gone elsewhere stays there.
      if (problem === null && currentAddress() === address) onOfferTaken()
    }
    offer().catch((reason: unknown) => {
      if (!isOver) setError(reason)
    })
    const timer = setTimeout(offerAgain, OFFER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      endPasskeyAutofill()
    }
  }, [canUse, offers])
  if (!canUse) return null
  const problem = login.data ? t(`problem.${login.data}`) : null
  const note = error === null ? problem : (rejectionText(error) ?? t('problem.failed'))
  return (
    <div className="mt-3 flex flex-col gap-2">
      <Button tone="outline" isWide isBusy={login.isPending} onClick={() => login.mutate()}>
        <Icon of={Fingerprint} />
        {t('logIn')}
      </Button>
      <p role="status" className="text-note text-second empty:hidden">
        {note}
      </p>
    </div>
  )
}
