/** Something happened that members may be notified of; the payload says nothing. */
export const notificationsChannel = 'dovepost_notifications';
