import type { Subscription } from './subscription.ts';

/** Where the payer decides. */
export function approvalPage({ baToken, plan, request }: Subscription): string {
  const when = request.start_time === undefined ? 'today' : `on ${request.start_time.slice(0, 10)}`;
  return page(
    'Approve the subscription',
    `<p>Dovepost: ${plan.price.value} ${plan.price.currency_code} a month, the first payment ${when}.</p>
<form method="post" action="?ba_token=${baToken}">
<button name="decision" value="approve">Agree and subscribe</button>
<button name="decision" value="cancel">Cancel and return</button>
</form>`,
  );
}

export function deadEndPage(): string {
  return page('This link has expired', '<p>There is nothing to approve here any more.</p>');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>PayPal stand-in</title></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
}

/** PayPal puts the same three words on both addresses. */
export function returnAddress(subscription: Subscription, hasApproved: boolean): string {
  const { return_url: returnUrl, cancel_url: cancelUrl } = subscription.request.application_context ?? {};
  const address = new URL((hasApproved ? returnUrl : cancelUrl) ?? 'about:blank');
  address.searchParams.set('subscription_id', subscription.id);
  address.searchParams.set('ba_token', subscription.baToken);
  address.searchParams.set('token', subscription.token);
  return address.href;
}
