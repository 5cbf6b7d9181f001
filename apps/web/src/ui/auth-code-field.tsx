import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isPasskeyCode, type PasskeyPurpose } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { latinDigits } from '@fairlot/core/decimal'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { rejectionText } from '../live/requests/request.ts'
import { signFor, useCanUsePasskeys, useSecondFactor } from '../live/session/second-factor.ts'

/** The field at which each rejection of the second factor is shown. */
export const FACTOR_ERROR_FIELDS = {
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
  passkeyExpired: 'authCode',
  passkeyUnknown: 'authCode',
  passkeyUnverified: 'authCode',
  passkeyWrong: 'authCode',
} as const

type AuthCodeFieldProps = {
  value: string
  problem: string | undefined
  onChange: (text: string) => void
  /** What a passkey may sign for in place of a code; without it, only a code is accepted. */
  passkeyFor?: PasskeyPurpose
  /** Accepts no recovery code: while the authenticator app is being set up there is none. */
  isAppOnly?: boolean
  hasFocusAtStart?: boolean
}

/** The second factor: a code of the authenticator app, a recovery code, or a passkey, which submits the form by itself. */
export function AuthCodeField({ passkeyFor, ...props }: AuthCodeFieldProps) {
  return passkeyFor === undefined ? (
    <CodeField {...props} />
  ) : (
    <CodeOrPasskey {...props} passkeyFor={passkeyFor} />
  )
}

function CodeOrPasskey({ passkeyFor, ...props }: AuthCodeFieldProps & { passkeyFor: PasskeyPurpose }) {
  const { value, problem, onChange } = props
  const t = useTranslations('factor')
  const { data } = useSecondFactor()
  const canUse = useCanUsePasskeys() && (data?.passkeys ?? 0) > 0
  const place = useRef<HTMLDivElement>(null)
  const isJustSigned = useRef(false)
  const isSigned = isPasskeyCode(value)
  const sign = useMutation({
    mutationFn: () => signFor(passkeyFor),
    onSuccess: (signed) => {
      if (!('code' in signed)) return
      isJustSigned.current = true
      onChange(signed.code)
    },
  })
  // After the render with the signature, as the form sends what it shows.
  useEffect(() => {
    if (!isSigned || !isJustSigned.current) return
    isJustSigned.current = false
    place.current?.closest('form')?.requestSubmit()
  }, [isSigned, value])
  const outcome = sign.data && 'problem' in sign.data ? t(`problem.${sign.data.problem}`) : null
  const note = outcome ?? (sign.error ? (rejectionText(sign.error) ?? t('problem.failed')) : null)
  if (isSigned && problem === undefined)
    return (
      <div ref={place} role="status" className="flex flex-wrap items-center gap-2 rounded-field bg-page p-3">
        <Icon of={Fingerprint} />
        <span className="min-w-0 grow">{t('signed')}</span>
        <TextButton onClick={() => onChange('')}>{t('useCode')}</TextButton>
      </div>
    )
  return (
    <div ref={place} className="flex flex-col gap-3">
      {canUse && (
        <>
          <Button tone="outline" isWide isBusy={sign.isPending} onClick={() => sign.mutate()}>
            <Icon of={Fingerprint} />
            {t('usePasskey')}
          </Button>
          <p role="status" className="text-note text-second empty:hidden">
            {note}
          </p>
        </>
      )}
      {/* A signature that was refused is of no use any more. */}
      <CodeField {...props} value={isSigned ? '' : value} hasApp={data?.isOn ? data.hasApp : true} />
    </div>
  )
}

function CodeField({
  value,
  problem,
  onChange,
  isAppOnly = false,
  hasApp = true,
  hasFocusAtStart = false,
}: Omit<AuthCodeFieldProps, 'passkeyFor'> & { hasApp?: boolean }) {
  const t = useTranslations('factor')
  return (
    <TextField
      label={t(hasApp ? 'authCode' : 'recoveryCode')}
      hint={t(isAppOnly ? 'authCodeHintApp' : hasApp ? 'authCodeHint' : 'recoveryCodeHint')}
      name="one-time-code"
      inputMode={isAppOnly ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={hasFocusAtStart}
      dir="ltr"
      value={value}
      problem={problem}
      onChange={(text) => onChange(latinDigits(text))}
    />
  )
}
