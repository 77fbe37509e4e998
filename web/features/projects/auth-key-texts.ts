export const authKeyTexts = { copied: 'Auth key copied to clipboard', failed: 'Failed to copy auth key' };
