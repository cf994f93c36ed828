// Reads a .butter file with the published reader (NuGet: EchoVRAPI, ButterReplays) and says how many frames it found.

using System;
using System.IO;
using ButterReplays;

using BinaryReader reader = new BinaryReader(File.OpenRead(args[0]));
Console.WriteLine($"{ButterFile.FromBytes(reader).Count} frames");
